-- :checkhealth flow_lsp
local M = {}

local function check_program(command)
  if type(command) ~= 'table' then
    vim.health.info('cmd is a function, so the program is not checked')
    return
  end
  local program = vim.fn.exepath(command[1])
  if program == '' then
    vim.health.error(("'%s' is not on PATH"):format(command[1]), {
      'Install it: pipx install flow-lsp (or pip install flow-lsp in an environment that Neovim sees)',
      "Or name it: vim.lsp.config('flow_lsp', { cmd = { '/path/to/flow-lsp' } })",
    })
    return
  end
  local started, process = pcall(vim.system, { program, '--version' }, { text = true })
  local result = started and process:wait(5000)
  if result and result.code == 0 then
    vim.health.ok(('%s (%s)'):format(vim.trim(result.stdout), program))
  else
    local reason = started and vim.trim(result.stderr or '') or tostring(process)
    vim.health.error(('%s does not answer --version: %s'):format(program, reason))
  end
end

function M.check()
  vim.health.start('flow-lsp')
  if vim.fn.has('nvim-0.11') == 0 then
    vim.health.error('Neovim 0.11 or newer is needed')
    return
  end
  vim.health.ok('Neovim ' .. tostring(vim.version()))

  local config = vim.lsp.config['flow_lsp']
  if not config then
    vim.health.error('lsp/flow_lsp.lua is not on the runtimepath', {
      'Add the directory editors/nvim of flow-lsp to it',
    })
    return
  end
  check_program(config.cmd)

  if vim.lsp.is_enabled('flow_lsp') then
    vim.health.ok('enabled for .flow files, flow.toml and the arguments of calls')
  else
    vim.health.warn("not enabled: call vim.lsp.enable('flow_lsp'), or leave vim.g.flow_lsp_enabled unset")
  end

  local clients = vim.lsp.get_clients({ name = 'flow_lsp' })
  for _, client in ipairs(clients) do
    local count = vim.tbl_count(client.attached_buffers)
    vim.health.info(('attached to %d buffer(s), root %s'):format(count, client.config.root_dir or 'none'))
  end
  if #clients == 0 then
    vim.health.info('attached to no buffer; open a .flow file or a flow.toml')
  end
end

return M
