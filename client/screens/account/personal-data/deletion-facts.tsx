import { useTranslation } from 'react-i18next'

const REMOVED = ['profile', 'documents', 'points', 'code'] as const
const KEPT = ['entries', 'place'] as const

/** Lists what a deletion removes and what it keeps. */
export function DeletionFacts() {
  const { t } = useTranslation('account')
  return (
    <div className="mb-5 flex flex-col gap-4 rounded-control border border-line bg-panel p-4">
      <Facts title={t('data.goes')} facts={REMOVED.map((fact) => t(`data.goesFacts.${fact}`))} />
      <Facts title={t('data.stays')} facts={KEPT.map((fact) => t(`data.staysFacts.${fact}`))} />
    </div>
  )
}

function Facts({ title, facts }: { title: string; facts: string[] }) {
  return (
    <section>
      <h3 className="text-sm">{title}</h3>
      <ul className="mt-1.5 flex list-disc flex-col gap-1 pl-4 text-sm text-muted">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </section>
  )
}
