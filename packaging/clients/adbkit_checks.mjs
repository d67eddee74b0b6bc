// @devicefarmer/adbkit
import {mkdtempSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {check, holds, runChecks, same} from './check_runner.mjs';

const {Adb, default: module} = createRequire(`${process.env.CLIENTS_NPM}/`)('@devicefarmer/adbkit');
const client = (Adb ?? module).createClient({port: Number(process.env.ANDROID_ADB_SERVER_PORT)});
const serial = process.env.ANDROID_SERIAL;
const device = client.getDevice(serial);
const TODO = 'com.waymark.todo';
const {Adb: {util}} = createRequire(`${process.env.CLIENTS_NPM}/`)('@devicefarmer/adbkit');

/** Everything a stream gives. */
async function read(stream) {
  return String(await util.readAll(stream));
}

/** The first event of an emitter. */
function first(emitter, event) {
  return new Promise((done, fail) => {
    emitter.once(event, done);
    emitter.once('error', fail);
  });
}

check('version', async () => holds((await client.version()) > 30));
check('devices', async () => holds((await client.listDevices()).some(({id}) => id === serial)));
check('devices with paths', async () => holds((await client.listDevicesWithPaths()).length));
check('track devices', async () => {
  const tracker = await client.trackDevices();
  const [host, port] = serial.split(':');
  const gone = first(tracker, 'remove');
  await client.disconnect(host, Number(port));
  await gone;
  const back = first(tracker, 'add');
  await client.connect(host, Number(port));
  await back;
  await device.waitForDevice();
  tracker.end();
});
check('state and path', async () => {
  same(await device.getState(), 'device');
  holds(await device.getDevicePath());
});
check('serial', async () => same(await device.getSerialNo(), serial), 'asks for the path in the place of the serial');
check('properties', async () => same((await device.getProperties())['ro.build.version.sdk'], '35'));
check('features', async () => holds((await device.getFeatures())['android.hardware.touchscreen']));
check('packages', async () => {
  holds((await device.getPackages()).includes(TODO));
  same([await device.isInstalled(TODO), await device.isInstalled('com.nope')], [true, false]);
});
check('address by DHCP', async () => holds((await device.getDHCPIpAddress()).split('.').length === 4),
  'reads dhcp.wlan0.ipaddress, which Android has not set since 8');
check('shell', async () => same(await read(await device.shell('echo a; echo b')), 'a\nb\n'));
check('shell with quoted words', async () => same(await read(await device.shell(['echo', "a 'b' c"])), "a 'b' c\n"));
check('push, stat and pull', async () => {
  const data = Buffer.alloc(300000, 7);
  const file = join(mkdtempSync(join(tmpdir(), 'adbkit-')), 'k.bin');
  writeFileSync(file, data);
  await first(await device.push(file, '/sdcard/k.bin'), 'end');
  const stat = await device.stat('/sdcard/k.bin');
  same([stat.size, stat.isFile()], [300000, true]);
  holds(Buffer.compare(await util.readAll(await device.pull('/sdcard/k.bin')), data) === 0, 'other bytes');
});
check('readdir', async () => holds((await device.readdir('/sdcard')).some(({name}) => name === 'k.bin')));
check('sync service', async () => {
  const sync = await device.syncService();
  holds((await sync.stat('/data/local/tmp')).isDirectory());
  sync.end();
});
check('forward', async () => {
  await device.forward('tcp:0', 'tcp:6100').catch(() => device.forward(`tcp:${17000 + process.pid % 1000}`, 'tcp:6100'));
  holds((await device.listForwards()).some(({remote}) => remote === 'tcp:6100'));
});
check('reverse', async () => {
  await device.reverse('tcp:6101', 'tcp:7101');
  holds((await device.listReverses()).some(({remote}) => remote === 'tcp:6101'));
});
check('screencap', async () => {
  const picture = await util.readAll(await device.screencap());
  same(picture.subarray(1, 4).toString(), 'PNG');
});
check('framebuffer', async () => {
  const stream = await device.framebuffer('raw');
  same([stream.meta.width, stream.meta.height], [720, 1600]);
}, 'reads version 2 of the header, which Android has since 9, as version 1');
check('logcat', async () => {
  const log = await device.openLogcat();
  await first(log, 'entry');
  log.end();
});
check('a log by its file', async () => holds(await device.openLog('main')), 'asks for /dev/log, which Android has not since 5');
check('load of the processor', async () => {
  const stat = await device.openProcStat();
  await first(stat, 'load');
  stat.end();
});
check('JDWP', async () => {
  const tracker = await device.trackJdwp();
  tracker.end();
});
check('monkey over a port', async () => {
  const monkey = await device.openMonkey();
  monkey.end();
}, 'asks for monkey --port, which a user build does not have');
check('start of an activity', async () => {
  await device.startActivity({component: `${TODO}/.MainActivity`, wait: true});
  holds((await read(await device.shell('dumpsys activity activities'))).includes(`${TODO}/.MainActivity`));
});
check('start of a service that is not there', async () => {
  await device.startService({component: `${TODO}/.Nope`, user: 0}).then(
    () => { throw new Error('it started'); }, () => undefined);
});
check('clear', async () => holds(await device.clear(TODO)));
check('uninstall of what is not there', async () => holds(await device.uninstall('com.nope')));
check('root is refused', async () => {
  const refused = await device.root().then(() => '', (error) => error.message);
  holds(refused.includes('production builds'), refused);
});
check('wait for the start', async () => holds(await device.waitBootComplete()));
check('connect again', async () => {
  const [host, port] = serial.split(':');
  same(await client.connect(host, Number(port)), serial);
});
check('tcpip and usb', async () => {
  await device.tcpip(Number(serial.split(':')[1]));
});
check('reboot', async () => holds(await device.reboot().catch(() => true)));

await runChecks();
