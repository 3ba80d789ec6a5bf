import { PieChart } from 'echarts/charts'
import { dispose, getInstanceByDom, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import EChartsReactCore from 'echarts-for-react/esm/core'
import { useTranslation } from 'react-i18next'
import { balanceText, type Token } from '#client/format/amounts.ts'
import { LONGEST_ANIMATION_MS } from '#client/ui/animation.ts'
import { prefersReducedMotion, themeValue } from '#client/ui/theme.ts'
import type { Money } from '#rules/money/money'

use([PieChart, SVGRenderer])

type AllocationChartProps = { assets: { token: Token; amount: Money }[] }

const tones: Record<Token, string> = { TESP: '--color-mint', USDT: '--color-sky' }

/** The slices are token amounts, because TESP has no price that would make the two comparable. */
export function AllocationChart({ assets }: AllocationChartProps) {
  const { t } = useTranslation('wallet')
  const texts = assets.map(({ token, amount }) => `${balanceText(amount, token)} ${token}`)
  return (
    <div
      role="img"
      aria-label={t('chart.label', { assets: texts.join(', ') })}
      className="mx-auto h-56 w-full"
    >
      <EChartsReactCore
        echarts={{ init, dispose, getInstanceByDom }}
        style={{ height: '100%', width: '100%' }}
        opts={{ renderer: 'svg' }}
        option={{
          animation: !prefersReducedMotion(),
          animationDuration: LONGEST_ANIMATION_MS,
          animationDurationUpdate: LONGEST_ANIMATION_MS,
          series: [
            {
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
            },
          ],
        }}
      />
    </div>
  )
}
