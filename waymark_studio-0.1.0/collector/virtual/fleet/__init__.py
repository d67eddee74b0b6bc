"""Virtual phones in processes of their own: start, watch and stop one or many"""
