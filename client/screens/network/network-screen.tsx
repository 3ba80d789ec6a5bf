import { useAtomValue } from 'jotai'
import ChartNoAxesCombined from 'lucide-react/icons/chart-no-axes-combined'
import Coins from 'lucide-react/icons/coins'
import MessagesSquare from 'lucide-react/icons/messages-square'
import Search from 'lucide-react/icons/search'
import { useTranslation } from 'react-i18next'
import { LoadError } from '#client/layout/connection-notes.tsx'
import { LoadingNote } from '#client/ui/loading.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { AiCard } from './ai-card.tsx'
import { networkAtom } from './network-status.ts'
import { StatusCard } from './status-card.tsx'

const coming = [
  { text: 'chat', Icon: MessagesSquare },
  { text: 'explorer', Icon: Search },
  { text: 'rewards', Icon: Coins },
  { text: 'statistics', Icon: ChartNoAxesCombined },
] as const

export function NetworkScreen() {
  const { t } = useTranslation(['network', 'layout'])
  const query = useAtomValue(networkAtom)
  const { data: network, isError } = query
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg">{t('layout:titles./network')}</h1>
      {isError && !network ? (
        <LoadError query={query} title={t('loadFailed')} text={t('loadFailedText')} />
      ) : (
        <>
          {!network && <LoadingNote />}
          <StatusCard network={network} />
          <AiCard network={network} />
        </>
      )}
      <TitledPanel titleId="coming-title" title={t('coming.title')}>
        <ul className="mt-3 flex flex-col gap-3">
          {coming.map(({ text, Icon }) => (
            <li key={text} className="flex items-center gap-3 text-sm text-muted">
              <Icon className="size-4 shrink-0" strokeWidth={1.75} />
              {t(`coming.${text}`)}
            </li>
          ))}
        </ul>
      </TitledPanel>
    </div>
  )
}
