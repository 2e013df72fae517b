/**
 * The dispatcher as the service runs it, in a process without the rest: that takes seconds to start, and here it is started
 * fifty times. Its clock runs 20 times as fast, so that what a killed one was at is given up in two seconds. Usage: node message-sender.cjs <compiled service> <database URL> <encryption key in hex> <WhatsApp URL> <start of the clock>
 */
require('reflect-metadata');
const { join } = require('node:path');
const { DataSource } = require('typeorm');

const [, , compiled, url, key, whatsAppApiUrl, start] = process.argv;
const START = Number(start);
const load = (path) => require(join(compiled, 'src', path));

const { Metrics } = load('platform/health/metrics');
const { SecretBox } = load('platform/encryption/secret-box');
const { BackgroundJobs } = load('platform/jobs/background-jobs');
const { Database } = load('platform/persistence/database');
const { Notifications } = load('platform/persistence/notifications');
const { TypeOrmUnitOfWork } = load('platform/persistence/typeorm-unit-of-work');
const { ChangeMessage } = load('modules/messages/application/change-message');
const { Channels } = load('modules/messages/application/channels');
const { MessageDispatcher } = load('modules/messages/infrastructure/message-dispatcher');
const { MessageSchema } = load('modules/messages/infrastructure/message.schema');
const { SendQueue } = load('modules/messages/infrastructure/send-queue');
const { Simulator } = load('modules/messages/infrastructure/simulator');
const { SqlConnectionRepository } = load('modules/messages/infrastructure/sql-connection-repository');
const { SqlTemplateRepository } = load('modules/messages/infrastructure/sql-template-repository');
const { TypeOrmMessageRepository } = load('modules/messages/infrastructure/typeorm-message-repository');
const { WhatsAppApi } = load('modules/messages/infrastructure/whatsapp-api');
const { WhatsAppChannel } = load('modules/messages/infrastructure/whatsapp-channel');

async function main() {
  const options = { type: 'postgres', url, entities: [MessageSchema], entitySkipConstructor: true };
  const dataSource = await new DataSource(options).initialize();
  const configuration = { encryptionKey: Buffer.from(key, 'hex'), whatsAppApiUrl: new URL(whatsAppApiUrl) };
  const logger = { debug() {}, info() {}, warn: console.error, error: console.error };
  const clock = { now: () => new Date(START + (Date.now() - START) * 20) };
  const unitOfWork = new TypeOrmUnitOfWork(dataSource);
  const database = new Database(dataSource, unitOfWork);
  const secrets = new SecretBox(configuration, database);
  const connections = new SqlConnectionRepository(database, secrets, unitOfWork);
  const whatsApp = new WhatsAppChannel(
    connections,
    new SqlTemplateRepository(database),
    new WhatsAppApi(configuration),
  );
  const messages = new TypeOrmMessageRepository(dataSource, database, unitOfWork);
  new MessageDispatcher(
    new SendQueue(database, clock),
    new Channels(whatsApp, new Simulator()),
    new ChangeMessage(messages, unitOfWork, clock),
    new Notifications(dataSource, logger),
    new BackgroundJobs(),
    clock,
    logger,
    new Metrics(),
  ).start();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
