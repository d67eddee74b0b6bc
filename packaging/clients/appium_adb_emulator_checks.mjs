// appium-adb's commands for emulators.
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {check, holds, runChecks, same} from './check_runner.mjs';

const place = join(process.env.CLIENTS_NPM, 'appium-adb', 'build', 'lib', 'index.js');
const {ADB} = await import(pathToFileURL(place));
const serial = process.env.ANDROID_SERIAL;
const adb = await ADB.createADB({
  adbPort: Number(process.env.ANDROID_ADB_SERVER_PORT), udid: serial, suppressKillServer: true,
});
adb.setEmulatorPort(Number(serial.split('-')[1]));

check('connected emulators', async () => {
  holds((await adb.getConnectedEmulators()).some(({udid}) => udid === serial));
  holds(await adb.isEmulatorConnected());
  await adb.verifyEmulatorConnected();
});
check('emulator port', async () => same(await adb.getEmulatorPort(), Number(serial.split('-')[1])));
check('name of the image', async () => holds(await adb.execEmuConsoleCommand(['avd', 'name'])));
check('rotate', async () => {
  await adb.rotate();
  await adb.rotate();
  await adb.rotate();
  await adb.rotate();
});
check('power', async () => {
  await adb.powerAC('off');
  await adb.powerCapacity(42);
  holds((await adb.shell(['dumpsys', 'battery'])).includes('level: 42'));
  await adb.powerAC('on');
});
check('message', async () => {
  await adb.sendSMS('5551234', 'hello');
  holds((await adb.shell(['content', 'query', '--uri', 'content://sms'])).includes('hello'));
});
check('call', async () => {
  await adb.gsmCall('5551234', 'call');
  await adb.gsmCall('5551234', 'accept');
  await adb.gsmCall('5551234', 'cancel');
});
check('signal and voice', async () => {
  await adb.gsmSignal(2);
  await adb.gsmVoice('roaming');
  await adb.gsmVoice('on');
});
check('speed of the network', async () => adb.networkSpeed('lte'));
check('sensor', async () => adb.sensorSet('acceleration', '1:2:3'));
check('fingerprint', async () => adb.fingerprint('1'));
check('position', async () => adb.execEmuConsoleCommand(['geo', 'fix', '11.5', '48.1']));
check('snapshots', async () => {
  await adb.execEmuConsoleCommand(['avd', 'snapshot', 'save', 'one']);
  holds((await adb.execEmuConsoleCommand(['avd', 'snapshot', 'list'])).includes('one'));
  await adb.execEmuConsoleCommand(['avd', 'snapshot', 'load', 'one']);
});
check('an unknown command', async () => {
  const refused = await adb.execEmuConsoleCommand(['nope']).then(() => '', (error) => String(error?.message ?? error));
  holds(refused.includes('KO'), refused);
});
check('end', async () => adb.killEmulator(undefined, 20000));

await runChecks();
