import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Mode, parseId, type WorkspaceRef } from 'gala';

const TOKEN = /^till\.(live|test)\.(ws_\w+)\.([\w-]{43})$/;

/** What tills show who they are by: signed, so that there is nothing to store. Another secret ends them all. */
@Injectable()
export class TillTokens {
  private readonly secret = process.env.LOYALTY_TILL_SECRET;

  /** Undefined when this service has no secret. */
  of(ref: WorkspaceRef): string | undefined {
    return this.secret && `${nameOf(ref)}.${this.signature(ref, this.secret).toString('base64url')}`;
  }

  /** Whose till it is; undefined when the token isn't ours. */
  read(token: string): WorkspaceRef | undefined {
    const [, mode, workspace = '', signature = ''] = TOKEN.exec(token) ?? [];
    const workspaceId = parseId('ws', workspace);
    if (!workspaceId || !this.secret) return undefined;
    const ref = { workspaceId, mode: mode as Mode };
    const isOurs = timingSafeEqual(Buffer.from(signature, 'base64url'), this.signature(ref, this.secret));
    return isOurs ? ref : undefined;
  }

  private signature(ref: WorkspaceRef, secret: string): Buffer {
    return createHmac('sha256', secret).update(nameOf(ref)).digest();
  }
}

function nameOf({ workspaceId, mode }: WorkspaceRef): string {
  return `till.${mode}.${workspaceId}`;
}
