/** Why a message failed: a code for programs, and for people a text that says what to do. */
export interface MessageError {
  code: string;
  message: string;
}

export const UNCONFIRMED: MessageError = {
  code: 'unconfirmed',
  message:
    'The message was handed over, but no answer came back: it may have been sent or not. It is not sent again by itself, so that nobody gets it twice; a later report of the channel still counts.',
};

export const OPTED_OUT: MessageError = {
  code: 'opted_out',
  message: 'The recipient opted out of messages before this one was sent.',
};

export const DISCONNECTED: MessageError = {
  code: 'channel_disconnected',
  message: 'No channel is connected any more. Connect one in Settings → Channels, and send it again.',
};

export const OUT_OF_TIME: MessageError = {
  code: 'channel_unavailable',
  message: 'The channel could not take the message for 24 hours. Send it again when it is back.',
};
