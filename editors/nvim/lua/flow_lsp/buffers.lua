-- What a buffer gets when the server is attached to it.
local calls = require('flow_lsp.calls')
local tools = require('flow_lsp.tools')
local windows = require('flow_lsp.windows')
local M = {}

--- Shows the text that flow.doctor answers in a window of its own.
local function show_report(problem, text)
  if problem or type(text) ~= 'string' then
    vim.notify('flow-lsp: ' .. (problem and problem.message or 'there is no report'), vim.log.levels.ERROR)
    return
  end
  vim.cmd.new()
  vim.api.nvim_buf_set_lines(0, 0, -1, true, vim.split(text, '\n'))
  vim.bo.buftype = 'nofile'
  vim.bo.bufhidden = 'wipe'
  vim.bo.swapfile = false
  vim.bo.modifiable = false
end

--- Shows a flow.toml that a quick fix has just made, in which a command is to be written: Neovim leaves it hidden.
local function show_made(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  if #vim.fn.win_findbuf(buffer) == 0 and vim.fn.getfsize(path) == 0 then
    vim.schedule(function()
      if vim.api.nvim_buf_is_valid(buffer) and vim.bo[buffer].modified then
        vim.bo[buffer].buflisted = true
        windows.beside(buffer, 0, true)
        if vim.fn.line('$') > 1 and vim.fn.getline('$') == '' then
          vim.api.nvim_buf_set_lines(buffer, -2, -1, false, {}) -- of the file that was empty
        end
        vim.fn.search([["\zs"]], 'cw') -- `i` writes between the quotes
      end
    end)
  end
end

--- Its commands, and its lenses.
function M.set_up(client, buffer)
  vim.api.nvim_buf_create_user_command(buffer, 'FlowDoctor', function()
    client:request('workspace/executeCommand', { command = 'flow.doctor' }, show_report, buffer)
  end, { desc = 'Show what would run for each binding, and what is wrong with it' })

  vim.api.nvim_buf_create_user_command(buffer, 'FlowTools', function(options)
    tools.list(client, buffer, options.bang)
  end, { bang = true, desc = 'List the Tools of the workspace that do not fit (with !: all of them)' })

  if calls.is_arguments(vim.api.nvim_buf_get_name(buffer)) then
    calls.set_up_arguments(client, buffer)
    return
  end
  vim.api.nvim_buf_create_user_command(buffer, 'FlowDescribe', function(options)
    local arguments = options.bang and {} or { vim.uri_from_bufnr(buffer) }
    client:exec_cmd({ title = 'Ask again', command = 'flow.describe', arguments = arguments }, { bufnr = buffer })
  end, { bang = true, desc = 'Ask what answers for this file what it serves (with !: for the whole workspace)' })
  if vim.bo[buffer].filetype == 'flow' then
    calls.set_up_source(client, buffer)
  else
    show_made(buffer)
  end
end

--- The server is detached from a buffer. After its last one nothing is known of it any more.
function M.take_down(client, buffer)
  local rest = vim.tbl_filter(function(each) return each ~= buffer end, vim.tbl_keys(client.attached_buffers))
  if #rest == 0 then
    tools.forget(client.id)
  end
end

return M
