"""The rehearsal of injection rules on the phone: its controllers, its panel and the lane of outcomes."""
