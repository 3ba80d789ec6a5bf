import { useAtomValue } from 'jotai'
import { CloudOff } from 'lucide-react'
import { connectionAtom } from '#client/live/connection-state.ts'
import { Button } from '#client/ui/button.tsx'
import { commandsAtom, undoCommand } from './commands.ts'
import type { StoredCommand } from './stored-command.ts'

/** The commands that wait for the server, on every screen, each with Undo. */
export function CommandNotes() {
  const waiting = useAtomValue(commandsAtom).filter(
    ({ state }) => state === 'waiting' || state === 'undoing',
  )
  if (waiting.length === 0) return null
  return (
    <ul
      aria-label="Waiting for the server"
      className="sticky top-[calc(4rem+env(safe-area-inset-top))] z-10 mb-4 flex flex-col gap-2"
    >
      {waiting.map((command) => (
        <CommandNote key={command.key} command={command} />
      ))}
    </ul>
  )
}

function CommandNote({ command }: { command: StoredCommand }) {
  const { key, state, action } = command
  const { state: connection } = useAtomValue(connectionAtom)
  const when = connection === 'offline' ? 'when you are back online' : 'when the server answers'
  return (
    <li className="flex min-h-14 items-center gap-3 rounded-control border border-amber-line bg-sheet py-1.5 pr-1.5 pl-3.5 text-sm text-amber">
      <CloudOff aria-hidden="true" className="size-5 shrink-0" strokeWidth={1.75} />
      <p role="status" className="min-w-0 grow">
        {state === 'undoing' ? `Undo is confirmed ${when}` : `Will ${action} ${when}`}
      </p>
      {state === 'waiting' && (
        <Button variant="secondary" onClick={() => undoCommand(key)}>
          Undo
        </Button>
      )}
    </li>
  )
}
