"""The inventories of the documentations to which names in code lead, so that no build needs a network.

`_config.yml` lists them for intersphinx. `renew` fetches them; `names` finds the names in code.
"""
