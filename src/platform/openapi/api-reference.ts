import type { NestExpressApplication } from '@nestjs/platform-express';
export function serveApiReference(_app: NestExpressApplication, _publicUrl: URL): void {}
