"""What is wrong or worth saying, and where: rules, findings, and the catalogue of all rules.

Read `model`, then `catalogue`. A finding is plain data; how an editor or a terminal shows it is decided at the edge.
"""
