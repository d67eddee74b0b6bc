"""The tree model: complete, filtered, and with thousands of nodes."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex

from collector.hierarchy.parse import parse_tree
from studio.widgets.tree_panel.attributes import AttributeModel
from studio.widgets.tree_panel.model import NODE_ROLE, NodeTreeModel
from tests.helpers.sample_screen import sample_tree


def test_models_keep_qts_contract(qtmodeltester, qapp):
    tree = sample_tree()
    model = NodeTreeModel()
    model.set_tree(tree)
    qtmodeltester.check(model)
    attributes = AttributeModel()
    attributes.set_node(tree.nodes[3])
    qtmodeltester.check(attributes)


def test_every_node_is_found_where_it_is(qapp):
    model = NodeTreeModel()
    tree = sample_tree()
    model.set_tree(tree)
    for node in tree:
        index = model.index_of(node)
        assert model.node(index) is node
        assert model.node(model.parent(index)) is node.parent
        assert index.data(NODE_ROLE) is node


def test_a_row_reads_as_class_id_and_text(qapp):
    model = NodeTreeModel()
    tree = sample_tree()
    model.set_tree(tree)
    lines = {node.short_id: model.index_of(node).data() for node in tree}
    assert lines["query"] == 'EditText #query "poster"'
    assert lines["back"] == "ImageButton #back Back"
    assert lines["results"] == "RecyclerView #results 6 children"
    assert lines["item"] == "ViewGroup #item [5]"


def test_a_node_of_another_tree_has_no_place(qapp):
    model = NodeTreeModel()
    model.set_tree(sample_tree())
    assert not model.index_of(sample_tree().nodes[1]).isValid()
    model.set_tree(None)
    assert model.rowCount() == 0


@given(st.sets(st.integers(0, 40), min_size=1))
def test_narrowed_it_holds_the_chosen_nodes_and_the_way_to_them(orders):
    tree = sample_tree()
    model = NodeTreeModel()
    model.set_tree(tree)
    model.narrow([tree.nodes[order] for order in orders])
    seen = set()

    def walk(parent: QModelIndex) -> None:
        for row in range(model.rowCount(parent)):
            index = model.index(row, 0, parent)
            seen.add(model.node(index).order)
            walk(index)

    walk(QModelIndex())
    expected = {
        above.order for order in orders for above in (tree.nodes[order], *tree.nodes[order].ancestors())
    }
    assert seen == expected


def test_narrowed_it_keeps_qts_contract(qtmodeltester, qapp):
    tree = sample_tree()
    model = NodeTreeModel()
    model.set_tree(tree)
    model.narrow(tree.nodes[5:9])
    qtmodeltester.check(model)


def test_a_deep_tree_and_a_wide_one_are_both_walked(qapp):
    deep = "<node>" * 300 + "</node>" * 300
    wide = "<node>" + "<node/>" * 5000 + "</node>"
    for text in (deep, wide):
        tree = parse_tree(f"<hierarchy>{text}</hierarchy>")
        model = NodeTreeModel()
        model.set_tree(tree)
        last = tree.nodes[-1]
        assert model.node(model.index_of(last)) is last
