import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { userAtom } from '#client/data/member-data.ts'
import { awayCreditsAtom } from '#client/live/rewards/away-credits.ts'
import { classNames } from '#client/ui/class-names.ts'
import { AwayNote } from './away-note.tsx'

/**
 * Greets the member. The note about credits of an absence takes the place of the second line, so
 * that it moves nothing when it appears; screen readers read both.
 */
export function Greeting() {
  const { t } = useTranslation('mine')
  const username = useAtomValue(userAtom).data?.username ?? ''
  const away = useAtomValue(awayCreditsAtom)
  return (
    <header className="text-center">
      <h1 className="text-lg">{t('greeting', { username })}</h1>
      <div className="mt-1 grid min-h-11 *:[grid-area:1/1]">
        <p
          className={classNames(
            'text-sm text-balance text-muted',
            away !== null && 'pointer-events-none opacity-0',
          )}
        >
          {t('welcome')}
        </p>
        <div role="status">{away && <AwayNote credits={away} />}</div>
      </div>
    </header>
  )
}
