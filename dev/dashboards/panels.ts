import {
  type Dashboard,
  DashboardBuilder,
  DatasourceVariableBuilder,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import {
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  StackingConfigBuilder,
  StackingMode,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** Units of Grafana. */
export type Unit = 'percentunit' | 's' | 'reqps' | 'short' | 'ops';

/** `queries`: each with its legend, in which `{{label}}` is replaced. `help`: what to look at. */
export interface Panel {
  title: string;
  unit: Unit;
  queries: readonly (readonly [expression: string, legend: string])[];
  help?: string;
  isStacked?: boolean;
  /** A single number, green from or up to `objective`. */
  objective?: { value: number; isMinimum: boolean };
}

export interface Row {
  title: string;
  panels: readonly Panel[];
}

/** Grafana's grid has 24 columns. */
const columns = 24;
const panelHeight = 8;
const statHeight = 4;
const panelsPerRow = 3;

const datasource = { type: 'prometheus', uid: '${datasource}' };

const queriesOf = ({ queries, objective }: Panel) =>
  queries.map(([expression, legend], index) => {
    const query = new DataqueryBuilder()
      .expr(expression)
      .legendFormat(legend)
      .refId(String.fromCodePoint(65 + index));
    return objective ? query.instant() : query.range();
  });

function buildStat({ value, isMinimum }: NonNullable<Panel['objective']>, span: number) {
  const [below, above] = isMinimum ? ['red', 'green'] : ['green', 'red'];
  return new StatBuilder()
    .thresholds(
      new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([
        { value: null, color: below },
        { value, color: above },
      ]),
    )
    .decimals(3)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .noValue('no data')
    .span(span)
    .height(statHeight);
}

function buildChart({ isStacked = false }: Panel, span: number) {
  return new TimeseriesBuilder()
    .fillOpacity(isStacked ? 40 : 5)
    .stacking(new StackingConfigBuilder().mode(isStacked ? StackingMode.Normal : StackingMode.None))
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.Table)
        .placement(LegendPlacement.Bottom)
        .showLegend(true)
        .calcs(['lastNotNull', 'max']),
    )
    .min(0)
    .span(span)
    .height(panelHeight);
}

/** A dashboard as Grafana imports it. Its data source is a variable. */
export function buildDashboard(uid: string, title: string, description: string, rows: readonly Row[]): Dashboard {
  const dashboard = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['countersign'])
    .readonly()
    .timezone('browser')
    .time({ from: 'now-6h', to: 'now' })
    .refresh('1m')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'));
  for (const row of rows) {
    dashboard.withRow(new RowBuilder(row.title));
    const span =
      columns / Math.max(panelsPerRow, row.panels.some(({ objective }) => objective) ? row.panels.length : 0);
    for (const panel of row.panels) {
      const builder = panel.objective ? buildStat(panel.objective, span) : buildChart(panel, span);
      dashboard.withPanel(
        builder
          .title(panel.title)
          .description(panel.help ?? '')
          .unit(panel.unit)
          .datasource(datasource)
          .targets(queriesOf(panel)),
      );
    }
  }
  return dashboard.build();
}
