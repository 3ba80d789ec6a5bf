import { useAtomValue } from 'jotai'
import type { LucideIcon } from 'lucide-react'
import CloudOff from 'lucide-react/icons/cloud-off'
import LogOut from 'lucide-react/icons/log-out'
import { useTranslation } from 'react-i18next'
import { connectionAtom } from '#client/live/connection-state.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { focusMain } from '#client/ui/focus-main.ts'
import type { StoredCommand } from './command-state.ts'
import { actionText, commandsAtom, notDoneText, undoCommand } from './commands.ts'
import { dismissEnded, notDoneAtom } from './ended-commands.ts'

/** The commands that wait for the server, each with Undo, and those that a sign-out left undone. */
export function CommandNotes() {
  const { t } = useTranslation()
  const waiting = useAtomValue(commandsAtom).filter(
    ({ state }) => state === 'waiting' || state === 'undoing',
  )
  const notDone = useAtomValue(notDoneAtom)
  if (waiting.length === 0 && notDone.length === 0) return null
  return (
    <ul
      aria-label={t(waiting.length > 0 ? 'commands.label' : 'commands.notDoneLabel')}
      className="sticky top-[calc(4rem+env(safe-area-inset-top))] z-10 mb-4 flex flex-col gap-2"
    >
      {waiting.map((command) => (
        <CommandNote key={command.key} command={command} />
      ))}
      {notDone.map(({ key, name }) => (
        <Note
          key={key}
          Icon={LogOut}
          text={t('commands.signedOut', { what: notDoneText(name) })}
          button={t('dismiss')}
          onPress={() => dismissEnded(key)}
        />
      ))}
    </ul>
  )
}

function CommandNote({ command: { key, state, name } }: { command: StoredCommand }) {
  const { t } = useTranslation()
  const { state: connection } = useAtomValue(connectionAtom)
  const when = connection === 'offline' ? 'Online' : 'Answered'
  const isWaiting = state === 'waiting'
  return (
    <Note
      Icon={CloudOff}
      text={
        isWaiting
          ? t(`commands.will${when}`, { action: actionText(name) })
          : t(`commands.undo${when}`)
      }
      button={isWaiting && t('undo')}
      onPress={() => undoCommand(key)}
    />
  )
}

type NoteProps = {
  Icon: LucideIcon
  text: string
  /** The button goes when it is pressed. */
  button: string | false
  onPress: () => void
}

function Note({ Icon, text, button, onPress }: NoteProps) {
  function press() {
    onPress()
    focusMain()
  }
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-amber-line bg-sheet py-1.5 pr-1.5 pl-3.5 text-sm text-amber">
      <Icon className="size-5 shrink-0" strokeWidth={1.75} />
      <p role="status" className="min-w-0 grow basis-28">
        {text}
      </p>
      {button && (
        <Button variant="secondary" onClick={press}>
          {button}
        </Button>
      )}
    </li>
  )
}
