import { Injectable } from '@nestjs/common';
import { Logger } from '../../../platform/logging/logger';
import { Database } from '../../../platform/persistence/database';
import { LastUses } from '../../../platform/persistence/last-uses';

@Injectable()
export class InstallationUsage extends LastUses {
  constructor(database: Database, logger: Logger) {
    super('oauth_installations', database, logger);
  }
}
