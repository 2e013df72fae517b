import { idColumn, workspaceColumns } from 'gala';
import { EntitySchema } from 'typeorm';
import { LoyaltyAccount } from '../domain/loyalty-account';

export const LoyaltyAccountSchema = new EntitySchema<LoyaltyAccount>({
  name: 'LoyaltyAccount',
  target: LoyaltyAccount,
  tableName: 'loyalty_accounts',
  columns: {
    ...workspaceColumns,
    id: idColumn('loy', 'id', { primary: true }),
    email: { type: 'text' },
    points: { type: 'int' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
  },
});
