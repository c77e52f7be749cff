-- :checkhealth flow_lsp says what is there and what is missing.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')

session.run(function()
  session.client(vim.api.nvim_get_current_buf())
  vim.cmd.checkhealth('flow_lsp')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  session.check('the program is found', text:find('OK flow-lsp', 1, true) and not text:find('ERROR', 1, true), text)
  session.check('the attached buffer counts', text:find('attached to 1 buffer(s)', 1, true), text)

  vim.lsp.config('flow_lsp', { cmd = { 'no-such-flow-lsp' } })
  vim.cmd.checkhealth('flow_lsp')
  text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  session.check('a missing program is an error with a remedy',
    text:find("ERROR 'no-such-flow-lsp' is not on PATH", 1, true) and text:find('pipx install flow-lsp', 1, true), text)

  vim.cmd.helptags('ALL') -- as a plugin manager does
  vim.cmd.help('flow-lsp')
  session.check('there is help', vim.bo.filetype == 'help', vim.bo.filetype)
end)
