import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { MessageChannel, SandboxChannel } from './message-channel';

@Injectable()
export class Channels {
  constructor(
    private readonly live: MessageChannel,
    private readonly sandbox: SandboxChannel,
  ) {}

  of({ mode }: WorkspaceRef): MessageChannel {
    return mode === 'test' ? this.sandbox : this.live;
  }
}
