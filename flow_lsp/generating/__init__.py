"""Python for the Tools of a listing: text from data, for authors to read and for processes to import ("Toolkits").

Nothing here parses Flow or reads a file. The same listing gives the same text, to the byte.

Reading order: names, docs, literals, program (what is validated before anything is written), naming (what everything
is called), annotations, declarations, tools, answering, header, module and stub (the texts), generate (what
users call).
"""
