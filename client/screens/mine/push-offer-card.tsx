import { useAtomValue } from 'jotai'
import Bell from 'lucide-react/icons/bell'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#client/data/api.ts'
import { receiveAnswer, routeQuery } from '#client/data/member-data.ts'
import { storage } from '#client/data/storage.ts'
import { currentLanguage } from '#client/language/language.ts'
import { chooseKind, thisDeviceAtom } from '#client/screens/account/reminder-commands.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { handOverFocus } from '#client/ui/focus-main.ts'
import { Panel } from '#client/ui/panel.tsx'

/** Not read again if the first steps on the same screen have read it. */
const remindersAtom = routeQuery('/api/reminders')

/** Tells the server too, so that no other device asks again. */
function refuse(): void {
  const body = { kind: 'session', on: false, language: currentLanguage() } as const
  // This device remembers it without the answer.
  receiveAnswer('/api/reminders', call('POST /api/reminders/kinds', { body })).catch(() => {})
}

export function PushOfferCard({ memberId }: { memberId: number }) {
  const { t } = useTranslation('account')
  const settings = useAtomValue(remindersAtom).data
  const device = useAtomValue(thisDeviceAtom)
  const [busy, setBusy] = useState(false)
  const [answered, setAnswered] = useState(false)
  const answer = () => {
    storage.writeFor(memberId, 'pushOffer', 'answered')
    setAnswered(true)
  }
  const accept = async (pushKey: string) => {
    setBusy(true)
    const worked = await chooseKind('session', true, pushKey)
    setBusy(false)
    if (worked) answer()
  }
  const pushKey = settings?.pushKey
  const isNew = settings?.kinds === null && settings.devices.length === 0
  if (answered || !pushKey || (!isNew && !busy)) return null
  if (device === undefined || device.problem !== undefined) return null
  return (
    <Panel
      ref={handOverFocus}
      aria-labelledby="offer-title"
      className="flex animate-fade-in flex-wrap gap-3"
    >
      <Bell className="mt-0.5 size-5 shrink-0 text-mint" strokeWidth={1.75} />
      <div className="min-w-0 grow basis-44">
        <h2 id="offer-title" className="text-base">
          {t('reminders.offer.title')}
        </h2>
        <p className="mt-1 text-sm text-muted">{t('reminders.offer.text')}</p>
        <div className="mt-3 flex flex-wrap gap-3">
          <Button busy={busy} onClick={() => void accept(pushKey)}>
            {t('reminders.offer.yes')}
          </Button>
          <Button
            variant="secondary"
            onClick={() => {
              refuse()
              answer()
            }}
          >
            {t('reminders.offer.no')}
          </Button>
        </div>
      </div>
    </Panel>
  )
}
