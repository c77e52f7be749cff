-- vim.g.flow_lsp_enabled = false leaves it to the user to start the server.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')

session.run(function()
  local buffer = vim.api.nvim_get_current_buf()
  session.check('the filetype is known all the same', vim.bo[buffer].filetype == 'flow')
  session.check('nothing is started', not vim.lsp.is_enabled('flow_lsp') and #vim.lsp.get_clients() == 0)
  vim.lsp.enable('flow_lsp')
  session.check('until the user does', session.client(buffer) ~= nil)
end)
