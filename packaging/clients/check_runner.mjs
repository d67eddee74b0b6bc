// Run the checks of a client one after another, and print one line of JSON for each, as check_runner.py does.

const SECONDS = 60;
const REASON = 200;
const checks = [];

/** Add a function to the checks of this client. `differs` says why it is known to fail. */
export function check(name, run, differs = '') {
  checks.push({name, run, differs});
}

/** Fail the check when two values are not the same. */
export function same(seen, wanted) {
  const [left, right] = [seen, wanted].map((value) => JSON.stringify(value));
  if (left !== right) {
    throw new Error(`${left} and not ${right}`);
  }
}

/** Fail the check when a value does not hold. */
export function holds(value, what = 'it does not hold') {
  if (!value) {
    throw new Error(what);
  }
}

/** Run all checks in their order, and end the process. */
export async function runChecks() {
  for (const {name, run, differs} of checks) {
    let [result, why] = ['passed', ''];
    let timer;
    try {
      const late = new Promise((_, fail) => {
        timer = setTimeout(() => fail(new Error(`${SECONDS} s`)), SECONDS * 1000);
      });
      await Promise.race([run(), late]);
    } catch (error) {
      [result, why] = ['failed', String(error.message ?? error).slice(0, REASON)];
    }
    clearTimeout(timer);
    if (differs) {
      [result, why] = result === 'failed' ? ['differs', differs] : ['failed', `no longer: ${differs}`];
    }
    console.log(JSON.stringify({name, result, why}));
  }
  process.exit(0);
}
