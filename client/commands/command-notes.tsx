import { useAtomValue } from 'jotai'
import CloudOff from 'lucide-react/icons/cloud-off'
import { useTranslation } from 'react-i18next'
import { connectionAtom } from '#client/live/connection-state.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import type { StoredCommand } from './command-state.ts'
import { actionText, commandsAtom, undoCommand } from './commands.ts'

/** The commands that wait for the server, on every screen, each with Undo. */
export function CommandNotes() {
  const { t } = useTranslation()
  const waiting = useAtomValue(commandsAtom).filter(
    ({ state }) => state === 'waiting' || state === 'undoing',
  )
  if (waiting.length === 0) return null
  return (
    <ul
      aria-label={t('commands.label')}
      className="sticky top-[calc(4rem+env(safe-area-inset-top))] z-10 mb-4 flex flex-col gap-2"
    >
      {waiting.map((command) => (
        <CommandNote key={command.key} command={command} />
      ))}
    </ul>
  )
}

function CommandNote({ command }: { command: StoredCommand }) {
  const { t } = useTranslation()
  const { key, state, name } = command
  const { state: connection } = useAtomValue(connectionAtom)
  const when = connection === 'offline' ? 'Online' : 'Answered'
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-amber-line bg-sheet py-1.5 pr-1.5 pl-3.5 text-sm text-amber">
      <CloudOff aria-hidden="true" className="size-5 shrink-0" strokeWidth={1.75} />
      <p role="status" className="min-w-0 grow basis-28">
        {state === 'undoing'
          ? t(`commands.undo${when}`)
          : t(`commands.will${when}`, { action: actionText(name) })}
      </p>
      {state === 'waiting' && (
        <Button variant="secondary" onClick={() => undoCommand(key)}>
          {t('undo')}
        </Button>
      )}
    </li>
  )
}
