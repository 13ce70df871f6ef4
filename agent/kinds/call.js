// Tells Reprise what happens in a session. Written for one launch, and removed when
// it has ended.
import { spawn } from "node:child_process"

const hook = CALL

const call = (event, session, reason) =>
  new Promise((done) => {
    const p = spawn(hook[0], [...hook.slice(1), event], { stdio: ["pipe", "ignore", "ignore"] })
    p.on("error", done)
    p.on("close", done)
    p.stdin.on("error", () => {})
    p.stdin.end(JSON.stringify({ session_id: session, reason }))
  })

