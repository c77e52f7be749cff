-- What a configuration may call: require('flow_lsp').status().
local M = {}

--- A few words for a status line, such as `flow: 2 unfit`, or what the server is doing; '' where no server looks after
--- the buffer (default: the current one). It waits for nothing.
function M.status(buffer)
  return require('flow_lsp.tools').status(buffer)
end

return M
