import { Module } from '@nestjs/common';
import { TimelineParts } from '../../kernel/timeline';
import { Exports } from '../../platform/exports/exports';
import { AuditActions } from '../audit-log';
import { LeadPageParts } from '../leads';
import { SettingsNavigation } from '../shell';
import { ChatUserRepository } from './application/chat-user-repository';
import { ChangeConsent } from './application/change-consent';
import { ChangeMessage } from './application/change-message';
import { Channels } from './application/channels';
import { ConnectionRepository, ProviderAccounts, TemplateRepository } from './application/connection';
import { ConsentRepository } from './application/consent-repository';
import { Contacts } from './application/contacts';
import { LearnContact } from './application/learn-contact';
import { CHANNEL_ACTIONS, ManageChannel } from './application/manage-channel';
import { MessageChannel, SandboxChannel } from './application/message-channel';
import { MessageQueries, MessageReader } from './application/message-queries';
import { MessageRepository } from './application/message-repository';
import { MessageSettingsRepository } from './application/message-settings';
import { ReceiveQuestion } from './application/receive-question';
import { ReceiveMessage } from './application/receive-message';
import { SendMessage } from './application/send-message';
import { ConsentController } from './http/consent.controller';
import { MessageResponse } from './http/message.dto';
import { MessagesController } from './http/messages.controller';
import { MessagesExportController } from './http/messages-export.controller';
import { WhatsAppCallbackController } from './http/whatsapp-callback.controller';
import { WhatsAppIntake } from './http/whatsapp-intake';
import { MessageDispatcher } from './infrastructure/message-dispatcher';
import { MessageTimeline } from './infrastructure/message-timeline';
import { SendQueue } from './infrastructure/send-queue';
import { Simulation } from './infrastructure/simulation';
import { Simulator } from './infrastructure/simulator';
import { PostgresChatUserRepository } from './infrastructure/chat-user.repository';
import { PostgresConnectionRepository } from './infrastructure/connection.repository';
import { PostgresConsentRepository } from './infrastructure/consent.repository';
import { PostgresMessageReader } from './infrastructure/message.reader';
import { PostgresMessageSettingsRepository } from './infrastructure/message-settings.repository';
import { PostgresTemplateRepository } from './infrastructure/template.repository';
import { PostgresMessageRepository } from './infrastructure/message.repository';
import { WhatsAppAccounts } from './infrastructure/whatsapp-accounts';
import { WhatsAppApi } from './infrastructure/whatsapp-api';
import { WhatsAppChannel } from './infrastructure/whatsapp-channel';
import { ChannelsController } from './pages/channels.controller';
import { LeadMessagesController } from './pages/lead-messages.controller';
import { MessagePanel } from './pages/message-panel';

@Module({
  controllers: [
    MessagesController,
    MessagesExportController,
    ConsentController,
    WhatsAppCallbackController,
    ChannelsController,
    LeadMessagesController,
  ],
  providers: [
    ChangeConsent,
    ChangeMessage,
    Channels,
    Contacts,
    LearnContact,
    ManageChannel,
    MessageDispatcher,
    MessagePanel,
    MessageQueries,
    MessageTimeline,
    ReceiveMessage,
    ReceiveQuestion,
    SendMessage,
    SendQueue,
    Simulation,
    WhatsAppApi,
    WhatsAppIntake,
    { provide: ChatUserRepository, useClass: PostgresChatUserRepository },
    { provide: ConnectionRepository, useClass: PostgresConnectionRepository },
    { provide: ConsentRepository, useClass: PostgresConsentRepository },
    { provide: MessageChannel, useClass: WhatsAppChannel },
    { provide: MessageReader, useClass: PostgresMessageReader },
    { provide: MessageRepository, useClass: PostgresMessageRepository },
    { provide: MessageSettingsRepository, useClass: PostgresMessageSettingsRepository },
    { provide: ProviderAccounts, useClass: WhatsAppAccounts },
    { provide: SandboxChannel, useClass: Simulator },
    { provide: TemplateRepository, useClass: PostgresTemplateRepository },
  ],
  exports: [ManageChannel, MessageQueries, ReceiveQuestion, SendMessage],
})
export class MessagesModule {
  constructor(
    actions: AuditActions,
    navigation: SettingsNavigation,
    timeline: TimelineParts,
    timelinePart: MessageTimeline,
    exports: Exports,
    leadPages: LeadPageParts,
    panel: MessagePanel,
  ) {
    leadPages.addPanel(panel);
    exports.add('messages', MessageResponse);
    timeline.add(timelinePart);
    actions.register(CHANNEL_ACTIONS);
    navigation.add({
      group: 'Integrations',
      label: 'Channels',
      path: ':mode/channels',
      least: 'admin',
      position: 5,
    });
  }
}
