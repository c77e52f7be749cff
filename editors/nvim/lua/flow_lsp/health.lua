-- :checkhealth flow_lsp
local tools = require('flow_lsp.tools')
local M = {}

local WAIT = 3000 -- milliseconds for an answer of the server

-- What this plugin has the server do.
local COMMANDS = {
  'flow.describe', 'flow.doctor', 'flow.call.open', 'flow.call', 'flow.call.cancel', 'flow.tool.changes',
  'flow.tool.schema', 'flow.tool.page',
}

--- The version that the program says it is; nil where it does not say.
local function check_program(command)
  if type(command) ~= 'table' then
    vim.health.info('cmd is a function, so the program is not checked')
    return
  end
  local program = vim.fn.exepath(command[1])
  if program == '' then
    vim.health.error(("'%s' is not on PATH"):format(command[1]), {
      'Install it: in a clone of its repository, pipx install . (or pip install . in an environment that Neovim sees)',
      "Or name it: vim.lsp.config('flow_lsp', { cmd = { '/path/to/flow-lsp' } })",
    })
    return
  end
  local started, process = pcall(vim.system, { program, '--version' }, { text = true })
  local result = started and process:wait(5000)
  if result and result.code == 0 then
    vim.health.ok(('%s (%s)'):format(vim.trim(result.stdout), program))
    return result.stdout:match('%d+%.%d+%S*')
  end
  local reason = started and vim.trim(result.stderr or '') or tostring(process)
  vim.health.error(('%s does not answer --version: %s'):format(program, reason))
end

--- What a server says of itself, and what is asked of it that it cannot do.
local function check_protocol(client, installed)
  local info = client.server_info or {}
  vim.health.ok(('%s %s answers, columns in %s'):format(info.name or 'the server', info.version or 'of no version',
    client.offset_encoding))
  if installed and info.version and info.version ~= installed then
    vim.health.warn(('what is installed by now is %s'):format(installed), {
      'Start it again: :lua vim.lsp.enable("flow_lsp", false) vim.lsp.enable("flow_lsp")',
    })
  end
  local offered = vim.tbl_get(client.server_capabilities, 'executeCommandProvider', 'commands') or {}
  local missing = vim.tbl_filter(function(command)
    return not vim.list_contains(offered, command)
  end, COMMANDS)
  if #missing > 0 then
    vim.health.warn('the server does not know ' .. table.concat(missing, ', '), {
      'It is older than this plugin: install it anew',
    })
  end
end

local TRUST = {
  ask = 'commands run after you agreed to them',
  always = 'every command of every workspace runs, unasked',
  never = 'no command runs',
}

local function check_trust(config)
  local said = vim.tbl_get(config, 'init_options', 'flow', 'trust') or vim.tbl_get(config, 'init_options', 'trust')
    or vim.tbl_get(config, 'settings', 'flow', 'trust') or 'ask'
  local meaning = TRUST[said]
  if not meaning then
    vim.health.warn(("flow.trust is '%s', which is none of ask, always and never"):format(said))
  elseif said == 'always' then
    vim.health.warn("flow.trust is 'always': " .. meaning)
  else
    vim.health.ok(("flow.trust is '%s': %s"):format(said, meaning))
  end
end

--- How the Tools stand, in numbers; those that are not to be relied on by name.
local function check_tools(client)
  local answer, problem = client:request_sync('flow/tools', vim.empty_dict(), WAIT)
  local result = answer and answer.result
  if not result then
    local reason = problem or answer and answer.err and answer.err.message or 'no answer'
    vim.health.warn('the server does not list the Tools: ' .. reason)
    return
  end
  local counts, untrusted, wrong = {}, {}, {}
  for _, found in ipairs(tools.each(result)) do
    local tool = found.tool
    counts[tool.state] = (counts[tool.state] or 0) + 1
    if tool.standing == 'not-trusted' and tool.implementation then
      untrusted[tool.implementation] = true
    end
    if tools.is_unfit(tool) then
      local sentence = (tool.detail or tool.name):gsub('%s+', ' ')
      table.insert(wrong, sentence)
    end
  end
  local words = {}
  for state, count in vim.spairs(counts) do
    table.insert(words, ('%s %d'):format(state, count))
  end
  local summary = ('%d Tools%s'):format(result.tools or 0, #words > 0 and ': ' .. table.concat(words, ', ') or '')
  if (result.unfit or 0) > 0 then
    vim.health.warn(summary, wrong)
  else
    vim.health.ok(summary)
  end
  for command in vim.spairs(untrusted) do
    vim.health.warn('not agreed to: ' .. command, { ':FlowDescribe asks you again' })
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
  local installed = check_program(config.cmd)

  if vim.lsp.is_enabled('flow_lsp') then
    vim.health.ok('enabled for .flow files, flow.toml and the arguments of calls')
  else
    vim.health.warn("not enabled: call vim.lsp.enable('flow_lsp'), or leave vim.g.flow_lsp_enabled unset")
  end
  check_trust(config)

  local clients = vim.lsp.get_clients({ name = 'flow_lsp' })
  for _, client in ipairs(clients) do
    local count = vim.tbl_count(client.attached_buffers)
    vim.health.start(('flow-lsp in %s'):format(client.config.root_dir or 'no folder'))
    vim.health.info(('attached to %d buffer(s)'):format(count))
    check_protocol(client, installed)
    check_tools(client)
  end
  if #clients == 0 then
    vim.health.info('attached to no buffer; open a .flow file or a flow.toml')
  end
end

return M
