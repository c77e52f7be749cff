"""`.flow` declarations written from what an MCP server lists: the start of a file that a person goes on with.

Realizes the other direction of "Adapters" and decisions 11: which Flow types a tool's schemas stand for, so that its
arguments are taken and its results decode. What has no Flow type becomes json.Value, with the reason beside it.

Reading order: names, comments, plans (what is declared), flow_types (one schema), manifest_table, flow_file (what
users call).
"""
