"""Rule files of every layout people write them in: D-GARA's, our own, flow, with and without line ends."""

from __future__ import annotations

DGARA = """\
# head 稻香

rules:
  - id: first        # why
    description: "当用户"
    priority: 500
    conditions:
      all:
        # the words
        - type: semantic_element_exists
          match_threshold: 0.5
          keywords: ["简介","稻香", 'x']   # a comment
        - any:
            - {type: element_exists, selector: "text='a'"}
            # b
            - type: current_activity_is
              value: .Main
    actions:
      - type: inject_interference
        interference_id: "low"
        trigger_probability: 1

  # about the second
  - id: second
    conditions: {all: [{type: min_step, value: 3}]}
    actions: []

  - id: third
    conditions:
      any:
      - not:
          - type: element_exists
            selector: >-
              text='folded'
    actions: [{type: inject_interference, interference_id: x}]
"""
SUCCESS = """\
# success_conditions.yaml
task_one:
  description: "Like"
  conditions:
  # Top-level
    - type: any_of
      sub_conditions:

  # Case A
        - type: element_property_contains
          selector: "resource-id='a'"
          attribute: "content-desc"
          value: "已点赞"

  # Case B
        - type: element_exists
          selector: 'b'

"task two":
  conditions:
  - {type: element_exists, selector: "text='x'"}
  - type: text_matches
    pattern: |
      a+

task_three: {description: flow, conditions: [{type: min_step, value: 2}]}
"""
STATES = """\
states:
- id: cart
  after: [a, b]
  conditions:
  - type: semantic_element_exists
    keywords:
    - one   # 1
    - "two"
- id: done
  optional: true
  conditions:
  - all:
    - type: min_step
      value: 1"""
PLAIN_LIST = DGARA.partition("rules:\n")[2]
TEXTS = (DGARA, DGARA.replace("\n", "\r\n"), "\ufeff" + SUCCESS, SUCCESS, STATES, PLAIN_LIST, DGARA.rstrip())
