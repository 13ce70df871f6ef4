export default function (pi) {
  // One after the other, so that they arrive in order.
  let last = Promise.resolve()
  const tell = (ctx, event, reason) => {
    const id = ctx.sessionManager.getSessionId()
    last = last.then(() => call(event, id, reason)).catch(() => {})
    return last
  }
  pi.on("session_start", (e, ctx) => void tell(ctx, "start", e.reason))
  pi.on("before_agent_start", (_, ctx) => void tell(ctx, "prompt"))
  pi.on("tool_execution_end", (_, ctx) => void tell(ctx, "work"))
  pi.on("agent_end", (e, ctx) => void tell(ctx, e.messages?.at(-1)?.stopReason === "error" ? "fail" : "stop"))
  // It ends with this: the last call must be through.
  pi.on("session_shutdown", async (e, ctx) => {
    await tell(ctx, "goodbye", e.reason)
  })
}
