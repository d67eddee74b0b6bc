"""The tab Variations of Rules: a list to combine by ticking, a preview before and after, form and YAML"""
