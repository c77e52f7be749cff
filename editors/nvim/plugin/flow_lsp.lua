-- Starts the server for the buffers that lsp/flow_lsp.lua names. Set vim.g.flow_lsp_enabled = false to do it yourself.
if vim.g.loaded_flow_lsp then
  return
end
vim.g.loaded_flow_lsp = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify_once('flow-lsp needs Neovim 0.11 or newer; see :checkhealth flow_lsp', vim.log.levels.WARN)
  return
end

vim.api.nvim_set_hl(0, 'FlowLink', { link = 'Underlined', default = true })

local group = vim.api.nvim_create_augroup('flow_lsp', {})

-- Not on_attach of the configuration, which is the user's.
vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'flow_lsp' then
      require('flow_lsp.buffers').set_up(client, event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('LspDetach', {
  group = group,
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'flow_lsp' then
      require('flow_lsp.buffers').take_down(client, event.buf)
    end
  end,
})

if vim.g.flow_lsp_enabled ~= false then
  vim.lsp.enable('flow_lsp')
end
