import { PieChart } from 'echarts/charts'
import { use } from 'echarts/core'
import { useTranslation } from 'react-i18next'
import { balanceText, type Token } from '#client/format/amounts.ts'
import { Chart } from '#client/ui/chart.tsx'
import { themeValue } from '#client/ui/theme.ts'
import type { Money } from '#rules/money/money'

use([PieChart])

const tones: Record<Token, string> = { TESP: '--color-mint', USDT: '--color-sky' }

/** The slices are token amounts, because TESP has no price that would make the two comparable. */
export function AllocationChart({ assets }: { assets: { token: Token; amount: Money }[] }) {
  const { t } = useTranslation('wallet')
  const texts = assets.map(({ token, amount }) => `${balanceText(amount, token)} ${token}`)
  const pie = {
    id: 'assets',
    type: 'pie',
    radius: ['72%', '88%'],
    silent: true,
    label: { show: false },
    padAngle: assets.length > 1 ? 2 : 0,
    itemStyle: { borderRadius: 4 },
    data: assets.map(({ token, amount }) => ({
      name: token,
      value: Number(amount),
      itemStyle: { color: themeValue(tones[token]) },
    })),
  }
  return (
    <div className="mx-auto h-56 w-full">
      <Chart label={t('chart.label', { assets: texts.join(', ') })} option={{ series: [pie] }} />
    </div>
  )
}
