// appium-adb, in an order that leaves the phone as it was.
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {check, holds, runChecks, same} from './check_runner.mjs';

const place = join(process.env.CLIENTS_NPM, 'appium-adb', 'build', 'lib', 'index.js');
const {ADB} = await import(pathToFileURL(place));
const adb = await ADB.createADB({
  adbPort: Number(process.env.ANDROID_ADB_SERVER_PORT), udid: process.env.ANDROID_SERIAL, suppressKillServer: true,
});
const [SETTINGS, TODO] = ['com.android.settings', 'com.waymark.todo'];
const FOLDER = mkdtempSync(join(tmpdir(), 'appium-'));

check('connected devices', async () => {
  holds((await adb.getConnectedDevices()).some(({udid}) => udid === process.env.ANDROID_SERIAL));
  holds(await adb.isDeviceConnected());
});
check('shell', async () => same(await adb.shell(['echo', 'a']), 'a'));
check('ping', async () => holds(await adb.ping()));
check('API level and version', async () => same([await adb.getApiLevel(), await adb.getPlatformVersion()], [35, '15']));
check('model and manufacturer', async () => {
  same(await adb.getModel(), 'Waymark Phone');
  holds(await adb.getManufacturer());
});
check('size and density', async () => {
  same(await adb.getScreenSize(), '720x1600');
  same(await adb.getScreenDensity(), 320);
});
check('language and country', async () => {
  same([await adb.getDeviceSysLanguage(), await adb.getDeviceLanguage(), await adb.getDeviceCountry()].at(1), 'en');
  holds((await adb.getDeviceLocale()).startsWith('en'));
});
check('time zone', async () => holds(await adb.getTimeZone()));
check('settings', async () => {
  await adb.setSetting('system', 'font_scale', '1.0');
  same(await adb.getSetting('system', 'font_scale'), '1.0');
});
check('HTTP proxy', async () => {
  await adb.setHttpProxy('10.0.0.1', 8080);
  same(await adb.getSetting('global', 'http_proxy'), '10.0.0.1:8080');
  await adb.deleteHttpProxy();
});
check('location providers', async () => {
  await adb.toggleGPSLocationProvider(true);
  holds((await adb.getLocationProviders()).includes('gps'));
});
check('hidden API policy', async () => {
  await adb.setHiddenApiPolicy('1');
  await adb.setDefaultHiddenApiPolicy();
});
check('whitelist of idle apps', async () => {
  await adb.addToDeviceIdleWhitelist(TODO);
  holds((await adb.getDeviceIdleWhitelist()).some((row) => row.includes(TODO)));
});
check('airplane mode', async () => {
  await adb.setAirplaneMode(true);
  holds(await adb.isAirplaneModeOn());
  await adb.setAirplaneMode(false);
  holds(!(await adb.isAirplaneModeOn()));
});
check('Wi-Fi', async () => {
  await adb.setWifiState(false);
  holds(!(await adb.isWifiOn()));
  await adb.setWifiState(true);
  holds(await adb.isWifiOn());
});
check('mobile data', async () => {
  await adb.setDataState(false);
  holds(!(await adb.isDataOn()));
  await adb.setDataState(true);
  holds(await adb.isDataOn());
});
check('Bluetooth and NFC', async () => {
  await adb.setBluetoothOn(true);
  await adb.setNfcOn(true);
});
check('animations', async () => {
  await adb.setAnimationScale('0.0');
  holds(!(await adb.isAnimationOn()));
  await adb.setAnimationScale('1.0');
  holds(await adb.isAnimationOn());
});
check('orientation', async () => same(await adb.getScreenOrientation(), 0));
check('features of adb', async () => {
  holds((await adb.listFeatures()).includes('shell_v2'));
  holds([true, false].includes(await adb.isStreamedInstallSupported()));
  holds([true, false].includes(await adb.isIncrementalInstallSupported()));
});
check('installed apps', async () => {
  holds(await adb.isAppInstalled(TODO));
  holds(!(await adb.isAppInstalled('com.nope')));
  holds((await adb.listInstalledPackages()).some(({appPackage}) => appPackage === TODO));
});
check('information on an app', async () => {
  const told = await adb.getPackageInfo(SETTINGS);
  holds(told.versionName && told.versionCode && told.isInstalled);
});
check('start by activity', async () => {
  await adb.startApp({pkg: SETTINGS, activity: '.Settings', stopApp: true, waitDuration: 10000});
  same((await adb.getFocusedPackageAndActivity()).appPackage, SETTINGS);
});
check('wait for an activity', async () => {
  await adb.waitForActivity(SETTINGS, '.Settings', 5000);
  await adb.waitForNotActivity(SETTINGS, '.Nope', 5000);
});
check('start of an activity that is not there', async () => {
  await adb.startApp({pkg: SETTINGS, activity: '.Nope', retry: false, waitDuration: 1000}).then(
    () => { throw new Error('it started'); }, (error) => holds(error.message.includes('exist'), error.message));
});
check('activate', async () => {
  await adb.activateApp(TODO);
  same((await adb.getFocusedPackageAndActivity()).appPackage, TODO);
});
check('launchable activity', async () => same(await adb.resolveLaunchableActivity(TODO), `${TODO}/.MainActivity`));
check('address', async () => {
  await adb.startUri('https://example.org');
  same((await adb.getFocusedPackageAndActivity()).appPackage, 'com.waymark.browser');
});
check('processes of an app', async () => {
  await adb.activateApp(TODO);
  holds(await adb.isAppRunning(TODO));
  const [pid] = await adb.listAppProcessIds(TODO);
  same(await adb.getProcessNameById(pid), TODO);
  same(await adb.getProcessIdsByName(TODO), [pid]);
  holds(await adb.processExists(TODO));
});
check('stop', async () => {
  await adb.forceStop(TODO);
  holds(!(await adb.isAppRunning(TODO)));
  await adb.stopAndClear(TODO);
  await adb.killPackage(TODO);
});
check('permissions', async () => {
  const app = 'com.waymark.maps';
  const [asked] = await adb.getReqPermissions(app);
  holds(asked, 'no permission is asked for');
  await adb.grantAllPermissions(app);
  const granted = await adb.getGrantedPermissions(app);
  holds(granted.length, 'none is granted');
  await adb.revokePermission(app, granted.at(-1));
  holds((await adb.getDeniedPermissions(app)).includes(granted.at(-1)));
  await adb.grantPermission(app, granted.at(-1));
});
check('dump of windows', async () => holds((await adb.dumpWindows()).includes('mCurrentFocus')));
check('keys', async () => {
  await adb.goToHome();
  await adb.back();
  await adb.keyevent(82);
});
check('text', async () => {
  await adb.startApp({pkg: SETTINGS, activity: '.SearchActivity', waitActivity: '*', stopApp: true});
  await adb.shell(['input', 'tap', '360', '150']);
  await adb.inputText('abc');
  await adb.clearTextField(5);
  holds(typeof (await adb.isSoftKeyboardPresent()).isKeyboardShown === 'boolean');
});
check('hide keyboard', async () => holds([true, false].includes(await adb.hideKeyboard())));
check('input methods', async () => {
  const usual = await adb.defaultIME();
  holds((await adb.availableIMEs()).includes(usual));
  holds((await adb.enabledIMEs()).includes(usual));
  await adb.enableIME(usual);
  await adb.setIME(usual);
  await adb.runInImeContext(usual, async () => undefined);
});
check('files', async () => {
  writeFileSync(join(FOLDER, 'a'), 'abc');
  await adb.mkdir('/sdcard/ap');
  await adb.push(join(FOLDER, 'a'), '/sdcard/ap/a');
  holds(await adb.fileExists('/sdcard/ap/a'));
  same(await adb.fileSize('/sdcard/ap/a'), 3);
  same(await adb.ls('/sdcard/ap'), ['a']);
  await adb.pull('/sdcard/ap/a', join(FOLDER, 'b'));
  same(readFileSync(join(FOLDER, 'b'), 'utf8'), 'abc');
  await adb.rimraf('/sdcard/ap');
  holds(!(await adb.fileExists('/sdcard/ap/a')));
});
check('forwards', async () => {
  const port = 17000 + process.pid % 1000;
  await adb.forwardPort(port, 6100);
  holds((await adb.getForwardList()).some((row) => row.includes(`tcp:${port}`)));
  await adb.removePortForward(port);
  await adb.forwardAbstractPort(port, 'name');
  await adb.removePortForward(port);
});
check('reverses', async () => {
  await adb.reversePort(6102, 7102);
  holds((await adb.getReverseList()).some((row) => row.includes('tcp:6102')));
  await adb.removePortReverse(6102);
});
check('open ports', async () => holds(Array.isArray(await adb.listPorts())));
check('process status', async () => holds((await adb.listProcessStatus()).length));
check('kill', async () => {
  await adb.activateApp(TODO);
  await adb.killProcessesByName(TODO);
}, 'kills the processes of others as root');
check('log', async () => {
  await adb.startLogcat();
  await adb.shell(['log', '-t', 'AppiumCheck', 'hello']);
  let isSeen = false;
  for (let turn = 0; turn < 100 && !isSeen; turn++) {
    await adb.shell(['true']);
    isSeen = adb.getLogcatLogs().some(({message}) => message.includes('AppiumCheck'));
  }
  await adb.stopLogcat();
  holds(isSeen);
});
check('screenshot', async () => same((await adb.takeScreenshot()).subarray(1, 4).toString(), 'PNG'));
check('screen recording', async () => {
  const recording = adb.screenrecord('/sdcard/r.mp4', {timeLimit: 1});
  await recording.start(0);
  await new Promise((done) => recording.once('exit', done));
  holds((await adb.fileSize('/sdcard/r.mp4')) > 100);
});
check('bug report', async () => holds((await adb.bugreport()).includes('zip')));
check('broadcast', async () => adb.broadcast('com.example.NOPE'));
check('screen lock', async () => {
  await adb.lock();
  holds(await adb.isScreenLocked());
  await adb.cycleWakeUp();
  await adb.dismissKeyguard();
  holds(!(await adb.isScreenLocked()));
});
check('credentials of the lock', async () => {
  holds(await adb.isLockManagementSupported());
  await adb.setLockCredential('pin', '1234');
  holds(await adb.isLockEnabled());
  holds(await adb.verifyLockCredential('1234'));
  await adb.clearLockCredential('1234');
  holds(await adb.verifyLockCredential());
});
check('pattern of the lock', async () => {
  await adb.setLockCredential('pattern', '1235789');
  holds(await adb.isLockEnabled());
  holds(await adb.verifyLockCredential('1235789'));
  holds(await adb.verifyLockCredential('1235').then(() => false, () => true));
  await adb.clearLockCredential('1235789');
});
check('pull of an APK', async () => holds(await adb.pullApk(TODO, FOLDER)));
check('uninstall of what is not there', async () => same(await adb.uninstallApk('com.nope'), false));
check('root is refused', async () => same((await adb.root()).isSuccessful, false),
  'takes the refusal that adb prints for a success');
check('reboot', async () => adb.reboot(20), 'needs root, as on every phone that people can buy');
check('locale by its own app', async () => holds(await adb.ensureCurrentLocale('de', 'DE')),
  'changes the locale through an app of Appium');

await runChecks();
