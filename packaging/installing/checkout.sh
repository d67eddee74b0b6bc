. /input/person.sh
install make python3
mkdir checkout
tar -xf /input/checkout.tar -C checkout
cd checkout
make demo
cp build/demo/*.png build/demo/tour.json /output/
