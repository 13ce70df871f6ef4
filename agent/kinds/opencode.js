// What an event of the bus says, in Reprise's words: [event, reason].
const words = {
  "session.created": () => ["start", "startup"],
  "session.status": (p, busy) => p.status?.type === "busy" && !busy && ["prompt"],
  "session.idle": () => ["stop"],
  "session.error": (p) => (p.error?.name === "MessageAbortedError" ? ["stop"] : ["fail", p.error?.name]),
  "permission.asked": () => ["ask"],
  "permission.replied": () => ["work"],
  "question.asked": () => ["answer"],
  "question.replied": () => ["work"],
  "question.rejected": () => ["work"],
}

export const Reprise = async ({ client }) => {
  // Whether a session is a subagent's: it has a parent. At most 1000 are kept.
  const nested = new Map()
  const isNested = async (id) => {
    if (!nested.has(id)) {
      const got = await client.session.get({ path: { id } }).catch(() => undefined)
      if (nested.size >= 1000) nested.clear()
      nested.set(id, Boolean(got?.data?.parentID))
    }
    return nested.get(id)
  }
  const busy = new Set()
  const tell = async (type, p, id) => {
    if (type === "session.created") nested.set(id, Boolean(p.info?.parentID))
    const said = words[type](p, busy.has(id))
    if (type === "session.status" && said) busy.add(id)
    if (type === "session.idle" || type === "session.error") busy.delete(id)
    if (!said) return
    // A subagent's question waits for the person, too, but its session is not the pane's.
    if (!(await isNested(id))) await call(said[0], id, said[1])
    else if (!type.startsWith("session.")) await call(said[0])
  }
  // One after the other, so that they arrive in order; opencode waits for none.
  let last = Promise.resolve()
  const queue = (work) => {
    last = last.then(work).catch(() => {})
  }
  return {
    event: async ({ event }) => {
      const p = event.properties ?? {}
      const id = p.sessionID ?? p.info?.id
      if (typeof id === "string" && words[event.type]) queue(() => tell(event.type, p, id))
    },
    "tool.execute.after": async ({ sessionID }) => {
      queue(async () => (await isNested(sessionID)) || call("work", sessionID))
    },
  }
}
