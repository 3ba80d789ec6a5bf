/** Texts of the panel `Reminders` on Account, a part of its catalogue. */
export const reminders = {
  title: 'Reminders',
  text: 'A message when the 24 hours of a session are over. One for each session, and none if you mine again already.',
  push: 'Notification on this device',
  pushHint: 'Also while the app is closed',
  mail: 'Email',
  mailHint: 'To {{email}}',
  otherDevices: 'Other devices',
  added: 'Added {{date}}',
  remove: 'Remove',
  removeDevice: 'Remove {{device}}',
  notLoaded: 'Unable to load your reminders',
  /** Why this device shows no notifications. */
  problem: {
    unsupported:
      'This browser cannot show notifications. On an iPhone or iPad, add the app to the Home Screen first.',
    blocked:
      'Notifications are blocked. Allow them for this site in the settings of your browser, then come back.',
    'not allowed': 'You closed the question without an answer. Switch it on again to be asked.',
    'no service': 'This browser could not reach its notification service. Try again later.',
    'not set up': 'Notifications are not set up on this server. You can choose email.',
  },
  pushOn: 'This device reminds you',
  pushOff: 'This device does not remind you any more',
  mailOn: 'You are reminded by email',
  mailOff: 'You are not reminded by email any more',
  removed: 'Device removed',
  notChanged: 'Your reminders were not changed',
} as const
