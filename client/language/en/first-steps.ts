import { BOOST_PERCENT } from '#rules/constants'

export const firstSteps = {
  title: 'First steps',
  progress: '{{done}} of {{all}} done',
  dismiss: 'Dismiss the first steps',
  done: 'Done',
  start: 'Start mining',
  startText: 'Press the round button. A session runs for 24 hours, with this page open or closed.',
  credit: 'First credit',
  creditText: 'It arrives in your wallet 20 minutes after the start.',
  read: 'What TESP and USDT are',
  readText: 'Half a minute to read.',
  readAction: 'Read',
  invite: 'Invite',
  inviteText: `Each person who joins with your code adds ${BOOST_PERCENT}% to your speed.`,
  inviteAction: 'Get my code',
  remind: 'Be told when the 24 hours end',
  remindText: 'By notification or email. Mining stops after 24 hours until you start it again.',
  remindAction: 'Choose',
  about: {
    points:
      'TESP and USDT are points in this app. Mining is simulated on our servers: it uses no power of your device, and the points have no cash value.',
    earning:
      'While a session of 24 hours runs, a credit of TESP goes straight to your wallet every 20 minutes. If you stop earlier, what is left of the running 20 minutes waits under Pending Rewards until you claim it.',
    growing: `Each person you invite makes your mining ${BOOST_PERCENT}% faster. From a team of ten on, mining brings USDT too, which waits under Pending Rewards.`,
    close: 'Understood',
  },
  /** After the first credit, where the browser can install the app. */
  install: {
    title: 'Add TESP Network to your home screen',
    text: 'It opens like an app and shows the last figures without a connection.',
    yes: 'Install',
    no: 'No, thanks',
  },
} as const
