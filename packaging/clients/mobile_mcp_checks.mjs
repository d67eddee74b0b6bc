// mobile-mcp (@mobilenext/mobile-mcp), over its standard input and output.
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {check, holds, runChecks, same} from './check_runner.mjs';

const program = join(process.env.CLIENTS_NPM, '@mobilenext', 'mobile-mcp', 'lib', 'index.js');
const server = spawn(process.execPath, [program, '--stdio'], {
  stdio: ['pipe', 'pipe', 'ignore'], env: {...process.env, MOBILEMCP_DISABLE_TELEMETRY: '1'},
});
let device = process.env.ANDROID_SERIAL;
const FOLDER = mkdtempSync(join(tmpdir(), 'mcp-'));
const waiting = new Map();
let number = 0;
createInterface({input: server.stdout}).on('line', (line) => {
  const answer = JSON.parse(line);
  waiting.get(answer.id)?.(answer.result ?? {content: [{text: `Error: ${answer.error?.message}`}]});
});

function ask(method, params) {
  number += 1;
  const asked = new Promise((done) => waiting.set(number, done));
  server.stdin.write(`${JSON.stringify({jsonrpc: '2.0', id: number, method, params})}\n`);
  return asked;
}

/** The text of a tool's answer; pictures are in Base64. */
async function call(tool, words = {}) {
  const {content, isError} = await ask('tools/call', {name: `mobile_${tool}`, arguments: {device, ...words}});
  const text = content.map((part) => part.text ?? part.data).join('\n');
  if (isError || /^(Error|MCP error|ActionableError)/.test(text)) {
    throw new Error(text);
  }
  return text;
}

await ask('initialize', {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'checks', version: '1'}});
// An emulator has the name of its image here.
const listed = await call('list_available_devices');
device = listed.includes(device) ? device : /"id":\s*"([^"]+)"/.exec(listed)[1];
const tools = (await ask('tools/list', {})).tools.map(({name}) => name);

/** The middle of the element that has the text. */
async function placeOf(text) {
  const elements = await call('list_elements_on_screen');
  const line = elements.split('\n').find((each) => each.includes(`"${text}"`)) ?? '';
  const [, x, y, width, height] = (/at=(\d+),(\d+) size=(\d+)x(\d+)/.exec(line) ?? []).map(Number);
  holds(width, `${text} is not among the elements`);
  return {x: x + Math.floor(width / 2), y: y + Math.floor(height / 2)};
}

check('list available devices', async () => holds((await call('list_available_devices')).includes(device)));
check('list apps', async () => holds((await call('list_apps')).includes('com.waymark.todo')));
check('screen size', async () => holds((await call('get_screen_size')).includes('720x1600')));
check('launch app', async () => {
  await call('launch_app', {packageName: 'com.android.settings'});
  holds((await call('list_elements_on_screen')).includes('Display'));
});
check('click', async () => {
  await call('click_on_screen_at_coordinates', await placeOf('Display'));
  holds((await call('list_elements_on_screen')).includes('Dark theme'));
});
check('double tap', async () => call('double_tap_on_screen', {x: 700, y: 1400}));
check('long press', async () => call('long_press_on_screen_at_coordinates', {x: 700, y: 1400}));
check('buttons', async () => {
  for (const button of ['BACK', 'HOME', 'VOLUME_UP', 'VOLUME_DOWN', 'ENTER']) {
    await call('press_button', {button});
  }
});
check('swipe', async () => {
  await call('launch_app', {packageName: 'com.android.settings'});
  for (const direction of ['up', 'down', 'left', 'right']) {
    await call('swipe_on_screen', {direction});
  }
});
check('type', async () => {
  await call('press_button', {button: 'HOME'});
  await call('click_on_screen_at_coordinates', await placeOf('Search apps'));
  await call('type_keys', {text: 'settings', submit: false});
  holds((await call('list_elements_on_screen')).includes('settings'));
});
check('screenshot', async () => holds((await call('take_screenshot')).length > 1000));
check('save screenshot', async () => {
  await call('save_screenshot', {saveTo: join(FOLDER, 'a.png')});
  same(readFileSync(join(FOLDER, 'a.png')).subarray(1, 4).toString(), 'PNG');
});
check('open address', async () => {
  await call('open_url', {url: 'https://example.org/a'});
  let seen = '';
  for (let turn = 0; turn < 5 && !seen.includes('example.org/a'); turn++) {
    seen = await call('list_elements_on_screen');
  }
  holds(seen.includes('example.org/a'), seen.slice(-180));
});
check('orientation', async () => {
  await call('set_orientation', {orientation: 'landscape'});
  holds((await call('get_orientation')).includes('landscape'));
  await call('set_orientation', {orientation: 'portrait'});
});
check('terminate app', async () => call('terminate_app', {packageName: 'com.waymark.browser'}));
if (tools.includes('mobile_start_screen_recording')) {
  check('recording', async () => {
    await call('start_screen_recording', {output: join(FOLDER, 'a.mp4')});
    await call('launch_app', {packageName: 'com.android.settings'});
    await new Promise((done) => setTimeout(done, 1500));
    await call('stop_screen_recording');
    same(readFileSync(join(FOLDER, 'a.mp4')).subarray(4, 8).toString(), 'ftyp');
  });
}
if (tools.includes('mobile_get_foreground_app')) {
  check('app in front', async () => {
    await call('launch_app', {packageName: 'com.waymark.todo'});
    holds((await call('get_foreground_app')).includes('com.waymark.todo'));
  });
}
if (tools.includes('mobile_set_location')) {
  check('location', async () => {
    holds((await call('set_location', {latitude: 48.1, longitude: 11.5})).includes('48.1'));
    await call('set_location');
  });
}
if (tools.includes('mobile_list_crashes')) {
  check('crashes', async () => call('list_crashes'));
}
if (tools.includes('mobile_get_device_logs')) {
  check('logs', async () => holds((await call('get_device_logs')).length > 10));
}

process.on('exit', () => server.kill());
await runChecks();
