#!/bin/sh
# enter.sh ROOT WORK INPUT OUTPUT WAY: run WAY.sh in a copy of ROOT that is gone afterwards.
# Runs in namespaces of its own: what is mounted and started here ends with it.
set -eu
root=$1 work=$2 input=$3 output=$4 way=$5
mount --make-rprivate /
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/work" "$work/system"
mount -t overlay overlay -o "lowerdir=$root,upperdir=$work/upper,workdir=$work/work" "$work/system"
system=$work/system
mount -t proc proc "$system/proc"
mount -t sysfs -o ro sysfs "$system/sys"
mount -t tmpfs tmpfs "$system/dev"
for name in null zero full random urandom tty; do
    : >"$system/dev/$name"
    mount --bind "/dev/$name" "$system/dev/$name"
done
ln -s /proc/self/fd "$system/dev/fd"
ln -s fd/0 "$system/dev/stdin"
ln -s fd/1 "$system/dev/stdout"
ln -s fd/2 "$system/dev/stderr"
mkdir -m 1777 "$system/dev/shm"
mount -t tmpfs tmpfs "$system/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$system/tmp"
mkdir "$system/input" "$system/output"
mount --bind -o ro "$input" "$system/input"
mount --bind "$output" "$system/output"
# The network is that of this computer: its names, and the certificates it trusts.
cat /etc/resolv.conf >"$system/etc/resolv.conf"
mkdir -p "$system/usr/local/share/ca-certificates"
for file in /usr/local/share/ca-certificates/*.crt; do
    [ ! -s "$file" ] || cp "$file" "$system/usr/local/share/ca-certificates/"
done
if [ -s /etc/ssl/certs/ca-certificates.crt ]; then
    mkdir -p "$system/etc/ssl/certs"
    cat /etc/ssl/certs/ca-certificates.crt >"$system/etc/ssl/certs/ca-certificates.crt"
fi
export LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive HOME=/root
exec chroot "$system" /bin/sh "/input/$way.sh"
