/** Texts that several screens share. */
export const common = {
  tryAgain: 'Try Again',
  reload: 'Reload',
  exact: '{{amount}} {{token}}, show all decimals',
  close: 'Close',
  dismiss: 'Dismiss',
  undo: 'Undo',
  loading: 'Loading',
  loadMore: 'Load more',
  copy: 'Copy',
  copied: 'Copied!',
  notCopied: 'Not copied',
  retrying: 'Retrying…',
  waiting: 'Waiting…',
  email: 'Email',
  checking: 'Checking…',
  /** After the message that a referral code is valid. */
  invitedBy: 'Invited by {{name}}',
  confirmPassword: 'Confirm password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  passwordRules: 'At least 8 characters, with uppercase letters and numbers',
  /** For screen readers; `{hotkey}` is filled in by the toaster. */
  toast: { label: 'Notification', viewport: 'Notifications ({hotkey})' },
  noAnswer: 'No answer from the server. Check your connection and try again.',
  unreachable: 'The server could not be reached. Check your connection and try again.',
  newVersion: 'A new version is available',
  language: {
    notLoaded: 'The language could not be loaded. Check your connection and try again.',
    notSaved: 'The language of your emails was not changed',
  },
  brokenScreen: {
    title: 'This screen could not be shown',
    text: 'Check your connection, then load the page again.',
  },
  /** `{{count}}` is a number of whole units. */
  age: { seconds: '{{count}} s ago', minutes: '{{count}} min ago', hours: '{{count}} h ago' },
  reward: {
    title: 'TESP has been added to your wallet!',
    text: '{{amount}} TESP has been automatically added to your wallet after 20 minutes of mining.',
  },
  commands: {
    label: 'Waiting for the server',
    notDoneLabel: 'Not done',
    /** `what` is a whole sentence without its full stop: `Mining was not started`. */
    signedOut: '{{what}}. Not done: you were signed out.',
    willOnline: 'Will {{action}} when you are back online',
    willAnswered: 'Will {{action}} when the server answers',
    undoOnline: 'Undo is confirmed when you are back online',
    undoAnswered: 'Undo is confirmed when the server answers',
  },
  /** By the name of the command: for `Will … when you are back online`, and the title when dropped. */
  command: {
    start: { action: 'start mining', notDone: 'Mining was not started' },
    stop: { action: 'stop mining', notDone: 'Mining was not stopped' },
    claim: { action: 'claim your rewards', notDone: 'Your rewards were not claimed' },
    task: {
      action: 'claim the reward of the task',
      notDone: 'The reward of the task was not claimed',
    },
    'check-milestones': {
      action: 'check your milestones',
      notDone: 'Your milestones were not checked',
    },
    'generate-code': {
      action: 'create your referral code',
      notDone: 'No referral code was created',
    },
    'apply-code': {
      action: 'apply the referral code',
      notDone: 'The referral code was not applied',
    },
    profile: { action: 'save your profile', notDone: 'Your profile was not changed' },
    upload: { action: 'submit your document', notDone: 'Your document was not submitted' },
  },
  /** Why a command was dropped. */
  dropped: {
    undone: 'You have undone it.',
    expired: 'It could not be sent within an hour.',
    changed: 'It has changed in the meantime.',
    'input lost': 'The page was closed before it was sent.',
  },
  /** Why a sign-in ended that the member did not end in this tab. */
  signedOut: {
    title: 'Signed out',
    logout: 'You have been signed out on this device.',
    'password-reset': 'Your password was changed. Please sign in again.',
    'account-deleted': 'Your account has been deleted.',
    'account-frozen': 'Your account is frozen. Sign in to see why.',
    expired: 'Your session has expired. Please sign in again.',
    ended: 'You were signed out from another device.',
  },
  signOut: {
    doneTitle: 'Logged out',
    done: "You've been successfully logged out.",
    failed: 'Logout failed',
  },
} as const

/** Header, navigation, footer, document titles, home and not-found page. */
export const layout = {
  skip: 'Skip to content',
  mainNavigation: 'Main',
  mine: 'Mine',
  wallet: 'Wallet',
  tasks: 'Tasks',
  team: 'Team',
  more: 'More',
  comingSoon: 'Coming soon',
  milestoneReady: 'A milestone is ready',
  inbox: 'Inbox',
  /** Follows `inbox`. */
  inboxUnread: 'unread entries',
  menu: 'Account menu of {{username}}',
  account: 'Account',
  logout: 'Logout',
  language: 'Language',
  simulationNotice: 'Simulated mining. TESP and USDT here are points with no cash value.',
  serviceStatus: 'Service status',
  /** Pages of the operator; `contact` stands beside what a member cannot change. */
  links: { support: 'Support', terms: 'Terms', privacy: 'Privacy', contact: 'Contact support' },
  titles: {
    '/auth': 'Sign in',
    '/reset-password': 'Reset password',
    '/mine': 'Mine',
    '/wallet': 'Wallet',
    '/account': 'Account',
    '/team': 'Team',
    '/tasks': 'Tasks',
    '/network': 'Network',
    '/swap': 'Swap',
    '/inbox': 'Inbox',
    '/verify': 'Verify a proof',
    notFound: 'Page not found',
  },
  connection: {
    label: 'Connection: {{state}}',
    connecting: 'Connecting…',
    live: 'Live',
    polling: 'Polling',
    offline: 'Offline',
    ageSeconds: '{{count}}s',
    ageMinutes: '{{count}}m',
    lastKnown: 'Last known {{age}}',
    loadsOnline: 'You are offline. This loads when you are back.',
  },
  userNotLoaded: {
    title: 'Your account could not be loaded',
    text: 'Check your connection, then try again.',
  },
  home: 'Redirecting to mining dashboard...',
  notFound: {
    title: '404 Page Not Found',
    text: 'Did you forget to add the page to the router?',
    back: 'Go to the dashboard',
  },
} as const
