-- What the server says of all Tools together: how many there are, how many do not fit, what it is doing.
local windows = require('flow_lsp.windows')
local M = {}

local LONGEST = 60 -- of what the server is doing, in a status line
local known = {} -- the last flow/toolsDidChange, by the id of the client

--- The server says that something is another: status lines are drawn again, and `User FlowToolsChanged` is there for
--- those that draw in a way of their own.
function M.changed(_, params, context)
  known[context.client_id] = type(params) == 'table' and params or nil
  vim.schedule(function()
    vim.cmd.redrawstatus({ bang = true })
    vim.api.nvim_exec_autocmds('User', { pattern = 'FlowToolsChanged', modeline = false })
  end)
end

--- What was last said by a client; nil where it said nothing.
function M.known(client)
  return known[client.id]
end

--- The client is gone.
function M.forget(client_id)
  known[client_id] = nil
end

--- A few words on the Tools of the workspace that a buffer belongs to, for a status line; '' where no server looks after
--- the buffer. Nothing is asked: it is what the server said last.
function M.status(buffer)
  local client = vim.lsp.get_clients({ bufnr = buffer or 0, name = 'flow_lsp' })[1]
  if not client then
    return ''
  end
  local said = known[client.id] or {}
  if type(said.doing) == 'string' then
    return 'flow: ' .. windows.plain(said.doing, LONGEST)
  end
  local unfit, tools = tonumber(said.unfit) or 0, tonumber(said.tools) or 0
  if unfit > 0 then
    return ('flow: %d unfit'):format(unfit)
  end
  return tools == 0 and 'flow' or tools == 1 and 'flow: 1 Tool' or ('flow: %d Tools'):format(tools)
end

--- Every Tool of an answer of flow/tools, with the file and the manifest that it stands in, in their order.
function M.each(answer)
  local found = {}
  for _, manifest in ipairs(answer.manifests or {}) do
    for _, file in ipairs(manifest.files or {}) do
      for _, tool in ipairs(file.tools or {}) do
        table.insert(found, { tool = tool, file = file, manifest = manifest })
      end
    end
  end
  return found
end

local UNFIT = { drift = 'E', unserved = 'E', ['describe-failed'] = 'E', unbound = 'W', refused = 'W' }

--- Whether a Tool is in a state in which it cannot be relied on to answer.
function M.is_unfit(tool)
  return UNFIT[tool.state] ~= nil
end

--- Puts the Tools of the workspace into the quickfix list: those that do not fit, or all of them.
function M.list(client, buffer, all)
  client:request('flow/tools', vim.empty_dict(), function(problem, answer)
    if problem then
      vim.notify('flow-lsp: ' .. problem.message, vim.log.levels.ERROR)
      return
    end
    local items = {}
    for _, found in ipairs(M.each(answer)) do
      local tool = found.tool
      if all or UNFIT[tool.state] then
        local start = tool.range and tool.range.start or { line = 0, character = 0 }
        local sentence = (tool.detail or tool.text or tool.state):gsub('%s+', ' ')
        table.insert(items, {
          filename = vim.uri_to_fname(found.file.uri),
          lnum = start.line + 1,
          col = start.character + 1,
          type = UNFIT[tool.state] or 'I',
          text = sentence,
        })
      end
    end
    vim.fn.setqflist({}, ' ', { title = all and 'Tools' or 'Tools that do not fit', items = items })
    if #items == 0 then
      vim.cmd.cclose()
      vim.notify(all and 'flow-lsp: no Tools are declared' or 'flow-lsp: no Tool is unfit', vim.log.levels.INFO)
    else
      vim.cmd.copen()
    end
  end, buffer)
end

return M
