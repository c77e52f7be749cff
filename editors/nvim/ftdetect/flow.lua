vim.filetype.add({ extension = { flow = 'flow' } })
