"""Local copies of the intersphinx inventories to which names in code link, so that a build needs no network.

`_config.yml` lists the inventories, and `nox -s inventories` fetches them anew; `names` finds the names in code.
"""
