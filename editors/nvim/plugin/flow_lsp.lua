-- Starts the server for the buffers that lsp/flow_lsp.lua names. Set vim.g.flow_lsp_enabled = false to do it yourself.
if vim.g.loaded_flow_lsp then
  return
end
vim.g.loaded_flow_lsp = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify_once('flow-lsp needs Neovim 0.11 or newer; see :checkhealth flow_lsp', vim.log.levels.WARN)
elseif vim.g.flow_lsp_enabled ~= false then
  vim.lsp.enable('flow_lsp')
end
