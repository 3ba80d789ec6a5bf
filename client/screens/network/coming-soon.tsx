import ChartNoAxesCombined from 'lucide-react/icons/chart-no-axes-combined'
import Coins from 'lucide-react/icons/coins'
import MessagesSquare from 'lucide-react/icons/messages-square'
import Search from 'lucide-react/icons/search'
import { useTranslation } from 'react-i18next'
import { TitledPanel } from '#client/ui/panel.tsx'

const coming = [
  { text: 'chat', Icon: MessagesSquare },
  { text: 'explorer', Icon: Search },
  { text: 'rewards', Icon: Coins },
  { text: 'statistics', Icon: ChartNoAxesCombined },
] as const

export function ComingSoon() {
  const { t } = useTranslation('network')
  return (
    <TitledPanel titleId="coming-title" title={t('coming.title')}>
      <ul className="mt-3 flex flex-col gap-3">
        {coming.map(({ text, Icon }) => (
          <li key={text} className="flex items-center gap-3 text-sm text-muted">
            <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
            {t(`coming.${text}`)}
          </li>
        ))}
      </ul>
    </TitledPanel>
  )
}
