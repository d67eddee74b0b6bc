"""Input to and from a phone: queues and sinks, touches made on the phone itself, its keyboard."""
